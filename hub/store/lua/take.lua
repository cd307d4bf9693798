-- Makes a hub the owner of a room, unless its owner has written to it since the hub saw it, and returns what the
-- hub needs.
--
-- KEYS[1] head (hash)  KEYS[2] log (stream)  KEYS[3] talk (hash)  KEYS[4] notes (hash)
-- ARGV[1] the token seen   ARGV[2] the sequence number seen with it ('': any)
-- ARGV[3] the new owner: what follows '<epoch>:' in the new token
-- ARGV[4] the most that the old owner's live clock can have read ('': none)   ARGV[5] the new owner's live clock
-- ARGV[6] ms after which a room that nobody renews is deleted (0: never)
-- ARGV[7] the same if its game has not begun
-- Answers {'missing'}, {'lost', token found}: another hub has taken it, or its owner has written since; or
--   {'taken', token, epoch, seq, at, status, code, snapshot, {entry, ...} since the snapshot,
--    {slot, message, ...}, {seat, note, ...}}

local call = redis.call
local head = call('HMGET', KEYS[1], 'token', 'epoch', 'seq', 'at', 'live', 'status', 'code', 'snapshot', 'snapped')
local token, epoch, at, live = head[1], tonumber(head[2]), tonumber(head[4]), ARGV[5]
if not token then return {'missing'} end

local own_token = epoch .. ':' .. ARGV[3]
if token ~= own_token and (token ~= ARGV[1] or (ARGV[2] ~= '' and head[3] ~= ARGV[2])) then return {'lost', token} end

local entries = {}
local tail = head[3] - head[9]
if tail > 0 then
  for i, item in ipairs(call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', string.format('%.0f', tail))) do
    if tonumber(string.match(item[1], '%d+$')) > tonumber(head[9]) then table.insert(entries, 1, item[2][2]) end
  end
end
if call('TYPE', KEYS[3]).ok == 'stream' then call('DEL', KEYS[3]) end -- an older version's format: cannot be continued
local talk, notes = call('HGETALL', KEYS[3]), call('HGETALL', KEYS[4])
local last = call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', '1')[1]

if token ~= own_token then -- otherwise this same call was made before, and only its answer was lost
  if last then epoch = math.max(epoch, tonumber(string.match(last[1], '^%d+'))) end -- a failover may have lost the counter
  epoch = epoch + 1
  token = string.format('%.0f', epoch) .. ':' .. ARGV[3]
  if head[6] == 'running' and ARGV[4] ~= '' then
    at = at + math.max(0, ARGV[4] - head[5])
  end
end
call('HSET', KEYS[1], 'token', token, 'epoch', string.format('%.0f', epoch),
  'at', string.format('%.0f', at), 'live', live)
set_room_expiry(KEYS, ARGV[6], ARGV[7])

return {'taken', token, epoch, tonumber(head[3]), at, head[6], head[7], head[8], entries, talk, notes}
