-- Releases a room, so that any hub may take it at once; its table time is frozen from here on.
--
-- KEYS[1] head (hash)  KEYS[2] log (stream)  KEYS[3] talk (hash)  KEYS[4] notes (hash)
-- ARGV[1] token  ARGV[2] table time at the release ('': that of the last commit)
-- ARGV[3] ms after which a room that nobody takes is deleted (0: never)
-- ARGV[4] the same if its game has not begun
-- Answers 1: released (now or before), 0: another hub owns it

local head = redis.call('HMGET', KEYS[1], 'token', 'epoch', 'at')
if not head[1] then return 0 end
local released = head[2] .. ':'
if head[1] ~= ARGV[1] and not (head[1] == released and string.match(ARGV[1], '^%d+') == head[2]) then return 0 end
local at = tonumber(head[3])
if ARGV[2] ~= '' then at = math.max(at, tonumber(ARGV[2])) end
redis.call('HSET', KEYS[1], 'token', released, 'at', string.format('%.0f', at), 'live', '0')
set_room_expiry(KEYS, ARGV[3], ARGV[4])
return 1
