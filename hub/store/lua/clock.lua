-- Reads the clock of the server that has a key: the primaries of a Cluster have one each.
--
-- KEYS[1] any key
-- Answers {seconds since 1970, microseconds}

return redis.call('TIME')
