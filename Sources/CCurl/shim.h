/* What Swift cannot call as curl.h declares it: variadic functions. */

#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>

/* Sets an option that is a number or on and off. */
static inline CURLcode ccurl_set_number(CURL *session, CURLoption option, long number) {
    return curl_easy_setopt(session, option, number);
}

/* Sets an option that is a size. */
static inline CURLcode ccurl_set_size(CURL *session, CURLoption option, long long size) {
    return curl_easy_setopt(session, option, (curl_off_t)size);
}

/* Sets an option that is a text, a list of texts, or what is handed to a callback. */
static inline CURLcode ccurl_set_pointer(CURL *session, CURLoption option, const void *pointer) {
    return curl_easy_setopt(session, option, pointer);
}

/* Sets a function that takes bytes. */
static inline CURLcode ccurl_set_callback(
    CURL *session, CURLoption option, curl_write_callback callback
) {
    return curl_easy_setopt(session, option, callback);
}

/* The status of the last answer; 0 without one. */
static inline long ccurl_status(CURL *session) {
    long status = 0;
    curl_easy_getinfo(session, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

#endif
