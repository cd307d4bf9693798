-- Holds a URL for a hub, unless another hub holds it.
--
-- KEYS[1] the URL (string: incarnation)
-- ARGV[1] incarnation  ARGV[2] ms to hold it (0: give it up)
-- Answers the incarnation that holds it, or held it until now

local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return ARGV[1]
