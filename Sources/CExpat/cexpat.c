#include "cexpat.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded = 0;

static struct {
    struct XML_ParserStruct *(*create)(const char *encoding);
    void (*set_user_data)(struct XML_ParserStruct *parser, void *context);
    void (*set_element_handler)(
        struct XML_ParserStruct *parser, cexpat_start_handler start, cexpat_end_handler end
    );
    void (*set_text_handler)(struct XML_ParserStruct *parser, cexpat_text_handler text);
    void (*set_doctype_handler)(struct XML_ParserStruct *parser, cexpat_doctype_handler doctype);
    void (*free)(struct XML_ParserStruct *parser);
    int (*parse)(struct XML_ParserStruct *parser, const char *bytes, int count, int is_final);
    int (*stop)(struct XML_ParserStruct *parser, unsigned char is_resumable);
    int (*error_code)(struct XML_ParserStruct *parser);
    const char *(*error_text)(int code);
    unsigned long (*line)(struct XML_ParserStruct *parser);
    unsigned long (*column)(struct XML_ParserStruct *parser);
    long (*offset)(struct XML_ParserStruct *parser);
} expat;

static int find(void *library, const char *name, void *function) {
    *(void **)function = dlsym(library, name);
    return *(void **)function != NULL;
}

static void load(void) {
    void *library = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    is_loaded =
        find(library, "XML_ParserCreate", &expat.create) &&
        find(library, "XML_SetUserData", &expat.set_user_data) &&
        find(library, "XML_SetElementHandler", &expat.set_element_handler) &&
        find(library, "XML_SetCharacterDataHandler", &expat.set_text_handler) &&
        find(library, "XML_SetStartDoctypeDeclHandler", &expat.set_doctype_handler) &&
        find(library, "XML_ParserFree", &expat.free) &&
        find(library, "XML_Parse", &expat.parse) &&
        find(library, "XML_StopParser", &expat.stop) &&
        find(library, "XML_GetErrorCode", &expat.error_code) &&
        find(library, "XML_ErrorString", &expat.error_text) &&
        find(library, "XML_GetCurrentLineNumber", &expat.line) &&
        find(library, "XML_GetCurrentColumnNumber", &expat.column) &&
        find(library, "XML_GetCurrentByteIndex", &expat.offset);
}

int cexpat_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

struct XML_ParserStruct *cexpat_create(
    void *context, cexpat_start_handler start, cexpat_end_handler end, cexpat_text_handler text,
    cexpat_doctype_handler doctype
) {
    struct XML_ParserStruct *parser = expat.create(NULL);
    if (parser == NULL) return NULL;
    expat.set_user_data(parser, context);
    expat.set_element_handler(parser, start, end);
    expat.set_text_handler(parser, text);
    expat.set_doctype_handler(parser, doctype);
    return parser;
}

void cexpat_free(struct XML_ParserStruct *parser) {
    expat.free(parser);
}

int cexpat_parse(struct XML_ParserStruct *parser, const char *bytes, int count, int is_final) {
    return expat.parse(parser, bytes, count, is_final);
}

void cexpat_stop(struct XML_ParserStruct *parser) {
    expat.stop(parser, 0);
}

const char *cexpat_error_text(struct XML_ParserStruct *parser) {
    const char *text = expat.error_text(expat.error_code(parser));
    return text == NULL ? "unknown error" : text;
}

unsigned long cexpat_line(struct XML_ParserStruct *parser) {
    return expat.line(parser);
}

unsigned long cexpat_column(struct XML_ParserStruct *parser) {
    return expat.column(parser);
}

long cexpat_offset(struct XML_ParserStruct *parser) {
    return expat.offset(parser);
}
