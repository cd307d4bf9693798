-- Adds to a set that expires.
--
-- KEYS[1] set  ARGV[1] member  ARGV[2] ms after which the set is deleted (0: never)

redis.call('SADD', KEYS[1], ARGV[1])
set_expiry(KEYS, ARGV[2])
return 1
