-- Notes that a hub is there, and answers which others are, by the store's own time.
--
-- KEYS[1] registered (sorted set: incarnation by the server's time of its last registration, ms)
-- KEYS[2] descriptions (hash: incarnation -> what a hub says of itself)
-- ARGV[1] incarnation  ARGV[2] its description ('': the hub leaves, or has left, and only reads)
-- ARGV[3] ms after which a hub has lapsed  ARGV[4] ms after which a hub that has lapsed is forgotten
-- Answers {1: the hub had not lapsed, 0: it had, or is new; {living hub, description, ...}; {lapsed hub, ...}}

local call = redis.call
local time = call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local lapsed_ms = now_ms - ARGV[3]
local function text(number) return string.format('%.0f', number) end

local before = call('ZSCORE', KEYS[1], ARGV[1])
if ARGV[2] ~= '' then
  call('ZADD', KEYS[1], text(now_ms), ARGV[1])
  call('HSET', KEYS[2], ARGV[1], ARGV[2])
elseif before and tonumber(before) > lapsed_ms then
  call('ZADD', KEYS[1], text(lapsed_ms), ARGV[1]) -- and its description stays, as that of any hub that has lapsed
end
for _, hub in ipairs(call('ZRANGEBYSCORE', KEYS[1], '(' .. text(now_ms), '+inf')) do
  call('ZADD', KEYS[1], text(now_ms), hub) -- the server's clock was set back: the hub would never lapse
end
for _, hub in ipairs(call('ZRANGEBYSCORE', KEYS[1], '-inf', text(lapsed_ms - ARGV[4]))) do
  call('ZREM', KEYS[1], hub)
  call('HDEL', KEYS[2], hub)
end
for _, key in ipairs(KEYS) do call('PEXPIRE', key, ARGV[4]) end

local living = {}
for _, hub in ipairs(call('ZRANGEBYSCORE', KEYS[1], '(' .. text(lapsed_ms), '+inf')) do
  living[#living + 1] = hub
  living[#living + 1] = call('HGET', KEYS[2], hub) or ''
end
local in_time = before and tonumber(before) > lapsed_ms
return {in_time and 1 or 0, living, call('ZRANGEBYSCORE', KEYS[1], '-inf', text(lapsed_ms))}
