-- Comes before the scripts that set the expiry of keys (`load_script` in hub/store/scripts.py).

local function set_expiry(keys, lifetime) -- in ms; '0': never
  for _, key in ipairs(keys) do
    if lifetime == '0' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, lifetime) end
  end
end
