-- Adds to a set that expires.
--
-- KEYS[1] set  ARGV[1] member  ARGV[2] ms after which the set is deleted (0: never)

redis.call('SADD', KEYS[1], ARGV[1])
if ARGV[2] == '0' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1
