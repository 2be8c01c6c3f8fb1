#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

/// How often the calling thread has asked for memory so far.
unsigned long allocations_made(void);

#endif
