#!/bin/sh
# Looks for Python and Node, then hands over to setup.py. In sh, because an old Python could not even parse setup.py.
# Usage: [PYTHON=python3.12] sh tools/setup.sh python|node|client...

missing_tool=69 # EX_UNAVAILABLE in sysexits.h
cd "$(dirname "$0")/.." || exit

stop() {
    echo "parley: $1" >&2
    exit "$missing_tool"
}

# at_least 20.19 22.3.1: succeeds if the second version is the first or newer.
at_least() {
    wanted_major=${1%.*} wanted_minor=${1#*.}
    major=${2%%.*} rest=${2#*.}
    minor=${rest%%.*}
    [ "$major" -gt "$wanted_major" ] || { [ "$major" -eq "$wanted_major" ] && [ "$minor" -ge "$wanted_minor" ]; }
}

# Prints the version of the Python that runs it; "optimised" follows if it was built with profile-guided optimisation,
# as distributions do and pyenv does not by default, and can create .venv.
describe='
import sys, sysconfig
optimised = getattr(sys, "base_prefix", "") == "/usr" or "--enable-optimizations" in str(sysconfig.get_config_var("CONFIG_ARGS"))
try:
    import ensurepip
except ImportError:
    optimised = False
print("%d.%d.%d%s" % (sys.version_info[:3] + (" optimised" if optimised else "",)))
'

# Prints the first optimised python3 on the PATH that is new enough. Without optimisation, Python takes half as long
# again, or more.
find_optimised() {
    IFS=:
    for folder in $PATH; do
        found=$("$folder/python3" -c "$describe" 2>/dev/null) || continue
        if [ "$found" != "${found% optimised}" ] && at_least 3.11 "${found% optimised}"; then
            echo "$folder/python3"
            return
        fi
    done
}

python=$PYTHON
if [ -z "$python" ] && [ ! -e .venv ]; then
    python=$(find_optimised)
fi
python=${python:-python3}

if ! found=$("$python" -c "$describe" 2>/dev/null); then
    stop "Python 3.11 or newer is needed and '$python' does not run: install it (python.org, or 'apt install python3'), or name one with 'make PYTHON=python3.12 ...'."
fi
found=${found% optimised}
if ! at_least 3.11 "$found"; then
    stop "Python 3.11 or newer is needed and '$python' is $found: install a newer one (python.org), or name one with 'make PYTHON=python3.12 ...'."
fi

case " $* " in
*" node "* | *" client "*)
    if ! found=$(node --version 2>/dev/null); then
        stop "Node 20.19 or newer is needed and 'node' does not run: install it from nodejs.org, or with 'nvm install 22'."
    fi
    if ! at_least 20.19 "${found#v}"; then
        stop "Node 20.19 or newer is needed and 'node' is ${found#v}: install a newer one from nodejs.org, or with 'nvm install 22'."
    fi
    if ! npm --version >/dev/null 2>&1; then
        stop "npm is needed and does not run: it comes with Node from nodejs.org; on Debian, 'apt install npm' adds it."
    fi
    ;;
esac

exec "$python" -B tools/setup.py "$@"
