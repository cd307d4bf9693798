-- Runs every command that the hub uses, on keys that soon expire, so that a store which is full, read-only or
-- forbids a command is refused at the start, and not only later. tests/store/test_fitness.py checks that no
-- command is missing.
--
-- KEYS[1] string  KEYS[2] hash  KEYS[3] stream  KEYS[4] set  KEYS[5] sorted set
-- Answers 1

local call, word, fields, log, rooms, times = redis.call, KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
call('SET', word, '1', 'PX', '1000') -- first: once a script has written, a full store lets it go on
call('GET', word)
call('INCR', word)
call('PERSIST', word)
call('PEXPIRE', word, '1000')
call('PEXPIREAT', word, call('PEXPIRETIME', word))
call('PTTL', word)
call('EXISTS', word)
call('TYPE', word)
call('TIME')
call('SCAN', '0', 'COUNT', '1')

call('HSET', fields, 'a', '1')
call('PEXPIRE', fields, '1000')
call('HGET', fields, 'a')
call('HMGET', fields, 'a')
call('HGETALL', fields)
call('HEXISTS', fields, 'a')
call('HLEN', fields)
call('HVALS', fields)
call('HSCAN', fields, '0')
call('HDEL', fields, 'a')

call('XADD', log, '*', 'e', '1')
call('PEXPIRE', log, '1000')
call('XRANGE', log, '-', '+')
call('XREVRANGE', log, '+', '-')

call('SADD', rooms, 'a')
call('PEXPIRE', rooms, '1000')
call('SMEMBERS', rooms)
call('SSCAN', rooms, '0')
call('SREM', rooms, 'a')

call('ZADD', times, '1', 'a')
call('ZSCORE', times, 'a')
call('PEXPIRE', times, '1000')
call('ZCARD', times)
call('ZCOUNT', times, '-inf', '+inf')
call('ZRANGE', times, '0', '-1')
call('ZREVRANGE', times, '0', '-1')
call('ZRANGEBYSCORE', times, '-inf', '+inf')
call('ZREVRANGEBYSCORE', times, '+inf', '-inf')
call('ZREM', times, 'a')

call('DEL', word)
call('UNLINK', fields, log, rooms, times)
return 1
