/* What Swift cannot call as zlib.h declares it: the macros that set a stream up. */

#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

/* Sets a stream up to compress. */
static inline int czlib_deflate_init(z_streamp stream, int level, int window_bits, int memory_level) {
    return deflateInit2(
        stream, level, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY
    );
}

/* Sets a stream up to decompress. */
static inline int czlib_inflate_init(z_streamp stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

#endif
