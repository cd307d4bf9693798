-- Renews the expiry of a room, on behalf of its owner.
--
-- KEYS[1] head (hash)  KEYS[2] log (stream)  KEYS[3] talk (hash)  KEYS[4] notes (hash)
-- ARGV[1] token  ARGV[2] ms after which a room that nobody renews is deleted (0: never)
-- ARGV[3] the same if its game has not begun
-- Answers 1: renewed, 0: another hub owns it, or it is gone

if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
set_room_expiry(KEYS, ARGV[2], ARGV[3])
return 1
