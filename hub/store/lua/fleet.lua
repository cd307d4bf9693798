-- Reads which hubs have registered in time, as register.lua has noted it.
--
-- KEYS[1] registered (sorted set)  KEYS[2] descriptions (hash)
-- ARGV[1] ms after which a hub has lapsed
-- Answers {hub, ms of the server's time when it registered last, description, ...}

local call = redis.call
local time = call('TIME')
local lapsed_ms = string.format('(%.0f', time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1])
local fleet = {}
for _, hub in ipairs(call('ZRANGEBYSCORE', KEYS[1], lapsed_ms, '+inf')) do
  fleet[#fleet + 1] = hub
  fleet[#fleet + 1] = call('ZSCORE', KEYS[1], hub)
  fleet[#fleet + 1] = call('HGET', KEYS[2], hub) or ''
end
return fleet
