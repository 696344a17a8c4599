/* The level of this x86-64 processor, 1 to 4, by the bits of cpuid and of the register XCR0
   (x86-64 psABI, 3.1).  Levels 3 and 4 need a system that saves the wide registers. */
#include <cpuid.h>

#ifdef _WIN32
__declspec(dllexport)
#endif
int gtp_engine_level(void)
{
    unsigned a, b, c, d, basic = 0, wide = 0, more = 0, saved = 0;
    if (__get_cpuid(1, &a, &b, &c, &d))
        basic = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
        wide = b;
    if (__get_cpuid(0x80000001, &a, &b, &c, &d))
        more = c;
    if (basic >> 27 & 1)
        __asm__("xgetbv" : "=a"(saved), "=d"(d) : "c"(0));
    if ((basic & 0x982201) != 0x982201 || !(more & 1))
        return 1;
    if ((basic & 0x30401000) != 0x30401000 || (wide & 0x128) != 0x128 || !(more & 0x20)
            || (saved & 6) != 6)
        return 2;
    return (wide & 0xd0030000) == 0xd0030000 && (saved & 0xe6) == 0xe6 ? 4 : 3;
}
