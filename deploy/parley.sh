#!/bin/sh
# The `parley` command with the settings and the user of parley.service. Install it as /usr/local/bin/parley; run it as root.
# Under another name, such as parley@8421, it is that of the hub parley@8421.service: ln -s parley /usr/local/bin/parley@8421
# /etc/parley/env, which these hubs share, must not set PARLEY_PORT, PARLEY_DATA or PARLEY_HUB_LABEL: its value would win over the hub's.
name=${0##*/}
case $name in
parley@*)
    port=${name#parley@}
    name=parley-$port
    set -- --property=EnvironmentFile="-/etc/parley/$port.env" --setenv=PARLEY_PORT="$port" \
        --setenv=PARLEY_HUB_LABEL="$port" /opt/parley/bin/parley "$@"
    ;;
*)
    name=parley
    set -- /opt/parley/bin/parley "$@"
    ;;
esac
exec systemd-run --quiet --collect --pipe --wait --service-type=exec \
    --property=DynamicUser=yes --property=User="$name" --property=StateDirectory="$name" \
    --property=StateDirectoryMode=0700 --property=UMask=0077 \
    --property=EnvironmentFile=-/etc/parley/env --setenv=PARLEY_DATA="/var/lib/$name" \
    "$@"
