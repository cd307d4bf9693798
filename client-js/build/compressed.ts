/** Compresses scripts, styles and pictures while building, so that no hub has to when it starts. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** A compressed file is worth sending if it is at most this part of the original. */
const WORTH = 0.9

/**
 * Writes `<file>.br` and `<file>.gz` beside each file that gains by it; hub/net/http/static.py sends what the browser
 * takes.
 */
export function compressed(): Plugin {
  return {
    name: 'parley-compressed',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (!/\.(js|css|svg)$/.test(file.fileName)) continue
          const plain = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          const params = {
            [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
          }
          const forms = { br: brotliCompressSync(plain, { params }), gz: gzipSync(plain, { level: 9 }) }
          for (const [ending, source] of Object.entries(forms))
            if (source.length <= WORTH * plain.length)
              this.emitFile({ type: 'asset', fileName: `${file.fileName}.${ending}`, source })
        }
      },
    },
  }
}
