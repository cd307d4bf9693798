-- Writes or removes an entry of the policy (hub/store/policy.py), and drops those that have ended.
-- KEYS: the version (string), the entries by name (hash)
-- ARGV: the time, the entry's name, "<end> <entry>" ("": remove it), the most entries; times in seconds since 1970
-- Returns 1; 0 if there was nothing to remove; -1 if there are too many entries.
local last = 0
local values = redis.call('HGETALL', KEYS[2])
for i = 1, #values, 2 do
  local ends = tonumber(string.match(values[i + 1], '^%d+'))
  if ends <= tonumber(ARGV[1]) then
    redis.call('HDEL', KEYS[2], values[i])
  elseif values[i] ~= ARGV[2] then
    last = math.max(last, ends)
  end
end
local exists = redis.call('HEXISTS', KEYS[2], ARGV[2]) == 1
if ARGV[3] == '' then
  if not exists then
    return 0
  end
  redis.call('HDEL', KEYS[2], ARGV[2])
else
  if not exists and redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[4]) then
    return -1
  end
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
  last = math.max(last, tonumber(string.match(ARGV[3], '^%d+')))
end
redis.call('INCR', KEYS[1])
if redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('PEXPIREAT', KEYS[2], string.format('%d', (last + 86400) * 1000)) -- clocks may differ
end
return 1
