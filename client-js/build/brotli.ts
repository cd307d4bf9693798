/** Compresses scripts and styles with brotli while building, which the hub, in Python alone, cannot. */
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes `<file>.br` beside each script and style; hub/net/http/static.py sends it to browsers that take it. */
export function brotli(): Plugin {
  return {
    name: 'parley-brotli',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (!/\.(js|css)$/.test(file.fileName)) continue
          const plain = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          const params = {
            [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
          }
          const source = brotliCompressSync(plain, { params })
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source })
        }
      },
    },
  }
}
