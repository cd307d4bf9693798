#!/bin/sh
# The `parley` command with the settings and the user of parley.service. Install it as /usr/local/bin/parley; run it as root.
exec systemd-run --quiet --collect --pipe --wait --service-type=exec \
    --property=DynamicUser=yes --property=User=parley --property=StateDirectory=parley \
    --property=StateDirectoryMode=0700 --property=UMask=0077 \
    --property=EnvironmentFile=-/etc/parley/env --setenv=PARLEY_DATA=/var/lib/parley \
    /opt/parley/bin/parley "$@"
