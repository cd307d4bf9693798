#!/bin/sh
# Asks the image registry what each tag in the given files names today. A tag can be moved; a digest cannot.
# Says which images are not pinned to a digest, and fails if a pinned one is no longer what its tag names.
set -eu
failed=0
for image in $(sed -nE 's/^FROM ([^ ]+:[^ ]+).*/\1/p; s/^ +image: ([^ ]+).*/\1/p' "$@" | sort -u); do
    tag=${image%@*}
    digest=$(docker buildx imagetools inspect "$tag" --format '{{.Manifest.Digest}}')
    case $image in
        "$tag") echo "::warning::$tag is not pinned: it names $tag@$digest" ;;
        "$tag@$digest") echo "$tag is pinned to what it names" ;;
        *) echo "::error::$image is pinned, but the tag now names $digest"; failed=1 ;;
    esac
done
exit $failed
