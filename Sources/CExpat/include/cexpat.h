/* libexpat, loaded when it is first needed and not when the program starts: only workbooks need it,
 * and it need not be there to build. The declarations are those of expat.h, whose interface has been
 * the same since libexpat.so.1 of 2002. */

#ifndef CEXPAT_H
#define CEXPAT_H

struct XML_ParserStruct;

/* XML_Status */
enum { CEXPAT_STATUS_ERROR = 0, CEXPAT_STATUS_OK = 1 };

/* Attributes are names and values in turn, ended by null. All texts are UTF-8. */
typedef void (*cexpat_start_handler)(void *context, const char *name, const char **attributes);
typedef void (*cexpat_end_handler)(void *context, const char *name);
typedef void (*cexpat_text_handler)(void *context, const char *text, int count);
typedef void (*cexpat_doctype_handler)(
    void *context, const char *name, const char *system, const char *public, int has_subset
);

/* Loads the library; 0 when it is not there. Any thread may call it, at any time. */
int cexpat_load(void);

/* The others are expat's; cexpat_load must have succeeded. */

/* Creates a parser that calls the handlers with the context; null without memory. */
struct XML_ParserStruct *cexpat_create(
    void *context, cexpat_start_handler start, cexpat_end_handler end, cexpat_text_handler text,
    cexpat_doctype_handler doctype
);
void cexpat_free(struct XML_ParserStruct *parser);
int cexpat_parse(struct XML_ParserStruct *parser, const char *bytes, int count, int is_final);
/* Makes cexpat_parse return an error; handlers may still be called once. */
void cexpat_stop(struct XML_ParserStruct *parser);
/* The error as a constant text of the library. */
const char *cexpat_error_text(struct XML_ParserStruct *parser);
unsigned long cexpat_line(struct XML_ParserStruct *parser);
unsigned long cexpat_column(struct XML_ParserStruct *parser);
/* The offset of the token that is read, which may have begun in an earlier piece. */
long cexpat_offset(struct XML_ParserStruct *parser);

#endif
