-- Comes before the scripts that set the expiry of keys (`load_script` in hub/store/scripts.py).

local function set_expiry(keys, lifetime) -- in ms; '0': never
  for _, key in ipairs(keys) do
    if lifetime == '0' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, lifetime) end
  end
end

local function set_room_expiry(keys, lifetime, waiting) -- in ms; `waiting`: if the room's game has not begun
  set_expiry(keys, redis.call('HGET', keys[1], 'status') == 'waiting' and waiting or lifetime)
end
