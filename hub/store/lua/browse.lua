-- Reads a page of the lobby, the most recently written rooms first.
--
-- KEYS[1] lobby (hash)  KEYS[2] listed (sorted set), both as in lobby.lua
-- ARGV[1] how many rooms to skip  ARGV[2] how many to read  ARGV[3] ms a line is kept
-- Answers {number of rooms, room, its line, room, its line...}

local call = redis.call
local time = call('TIME')
local oldest = string.format('(%.0f', time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[3])
local page = {call('ZCOUNT', KEYS[2], oldest, '+inf')}
local rooms = call('ZREVRANGEBYSCORE', KEYS[2], '+inf', oldest, 'LIMIT', ARGV[1], ARGV[2])
if #rooms > 0 then
  for i, line in ipairs(call('HMGET', KEYS[1], unpack(rooms))) do
    page[2 * i], page[2 * i + 1] = rooms[i], line
  end
end
return page
