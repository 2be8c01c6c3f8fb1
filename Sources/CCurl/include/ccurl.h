/* libcurl, loaded when the first list is fetched and not when the program starts: with the thirty
 * libraries that it links it would be half of the memory of a server that fetches nothing, and it
 * need not be there to build. The numbers are those of curl.h, which libcurl.so.4 of 2006 and all
 * after it keep. */

#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>

/* CURLcode */
enum {
    CCURL_OK = 0, CCURL_UNSUPPORTED_PROTOCOL = 1, CCURL_COULDNT_RESOLVE_PROXY = 5,
    CCURL_COULDNT_RESOLVE_HOST = 6, CCURL_COULDNT_CONNECT = 7, CCURL_WEIRD_SERVER_REPLY = 8,
    CCURL_HTTP2 = 16, CCURL_PARTIAL_FILE = 18, CCURL_WRITE_ERROR = 23,
    CCURL_OPERATION_TIMEDOUT = 28, CCURL_SSL_CONNECT_ERROR = 35, CCURL_GOT_NOTHING = 52,
    CCURL_SEND_ERROR = 55, CCURL_RECV_ERROR = 56, CCURL_SSL_CERTPROBLEM = 58,
    CCURL_SSL_CIPHER = 59, CCURL_PEER_FAILED_VERIFICATION = 60, CCURL_BAD_CONTENT_ENCODING = 61,
    CCURL_FILESIZE_EXCEEDED = 63, CCURL_SSL_CACERT_BADFILE = 77, CCURL_SSL_ISSUER_ERROR = 83,
    CCURL_SSL_INVALIDCERTSTATUS = 91, CCURL_HTTP2_STREAM = 92
};

/* CURLoption: numbers up to 9999, pointers from 10000, functions from 20000, sizes from 30000 */
enum {
    CCURL_NOSIGNAL = 99, CCURL_TIMEOUT_MS = 155, CCURL_SUPPRESS_CONNECT_HEADERS = 265,
    CCURL_WRITEDATA = 10001, CCURL_URL = 10002, CCURL_USERAGENT = 10018,
    CCURL_HTTPHEADER = 10023, CCURL_HEADERDATA = 10029, CCURL_CUSTOMREQUEST = 10036,
    CCURL_ACCEPT_ENCODING = 10102, CCURL_COPYPOSTFIELDS = 10165,
    CCURL_WRITEFUNCTION = 20011, CCURL_HEADERFUNCTION = 20079,
    CCURL_MAXFILESIZE_LARGE = 30117, CCURL_POSTFIELDSIZE_LARGE = 30120
};

/* Takes bytes; what it returns is how many it took. */
typedef size_t (*ccurl_callback)(char *bytes, size_t size, size_t count, void *target);

/* Loads the library and prepares it; 0 when it is not there or has no memory. */
int ccurl_load(void);

/* The others are libcurl's; ccurl_load must have succeeded. */
void *ccurl_make(void);
void ccurl_free(void *session);
void ccurl_reset(void *session);
long ccurl_perform(void *session);
void ccurl_set_number(void *session, long option, long number);
void ccurl_set_size(void *session, long option, long long size);
/* Sets an option that is a text, a list of texts, or what is handed to a callback. */
void ccurl_set_pointer(void *session, long option, const void *pointer);
void ccurl_set_callback(void *session, long option, ccurl_callback callback);
/* The status of the last answer; 0 without one. */
long ccurl_status(void *session);
/* Lists of texts; null where there is no memory for one more. */
void *ccurl_append(void *list, const char *text);
void ccurl_free_list(void *list);

#endif
