#include "ccurl.h"

#include <dlfcn.h>
#include <stddef.h>

enum { GLOBAL_ALL = 3, RESPONSE_CODE = 0x200000 + 2 };

static struct {
    int (*global_init)(long parts);
    void *(*make)(void);
    void (*free)(void *session);
    void (*reset)(void *session);
    int (*perform)(void *session);
    /* Variadic, as libcurl's are: the type of the third argument follows from the second. */
    int (*set)(void *session, int option, ...);
    int (*get)(void *session, int information, ...);
    void *(*append)(void *list, const char *text);
    void (*free_list)(void *list);
} libcurl;

static int find(void *library, const char *name, void *function) {
    *(void **)function = dlsym(library, name);
    return *(void **)function != NULL;
}

int ccurl_load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    /* Debian's other build of the same library, which git brings along. */
    if (library == NULL) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    return library != NULL && find(library, "curl_global_init", &libcurl.global_init) &&
        find(library, "curl_easy_init", &libcurl.make) &&
        find(library, "curl_easy_cleanup", &libcurl.free) &&
        find(library, "curl_easy_reset", &libcurl.reset) &&
        find(library, "curl_easy_perform", &libcurl.perform) &&
        find(library, "curl_easy_setopt", &libcurl.set) &&
        find(library, "curl_easy_getinfo", &libcurl.get) &&
        find(library, "curl_slist_append", &libcurl.append) &&
        find(library, "curl_slist_free_all", &libcurl.free_list) &&
        libcurl.global_init(GLOBAL_ALL) == CCURL_OK;
}

void *ccurl_make(void) { return libcurl.make(); }

void ccurl_free(void *session) { libcurl.free(session); }

void ccurl_reset(void *session) { libcurl.reset(session); }

long ccurl_perform(void *session) { return libcurl.perform(session); }

void ccurl_set_number(void *session, long option, long number) {
    libcurl.set(session, (int)option, number);
}

void ccurl_set_size(void *session, long option, long long size) {
    libcurl.set(session, (int)option, size);
}

void ccurl_set_pointer(void *session, long option, const void *pointer) {
    libcurl.set(session, (int)option, pointer);
}

void ccurl_set_callback(void *session, long option, ccurl_callback callback) {
    libcurl.set(session, (int)option, callback);
}

long ccurl_status(void *session) {
    long status = 0;
    libcurl.get(session, RESPONSE_CODE, &status);
    return status;
}

void *ccurl_append(void *list, const char *text) {
    return libcurl.append(list, text);
}

void ccurl_free_list(void *list) { libcurl.free_list(list); }
