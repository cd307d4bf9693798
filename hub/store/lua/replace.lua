-- Replaces a value that has not changed since it was read.
--
-- KEYS[1] the value (string)
-- ARGV[1] the value as it was read  ARGV[2] the next one  ARGV[3] ms after which it is deleted
-- Returns 1; 0 if another value is there, or none.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
