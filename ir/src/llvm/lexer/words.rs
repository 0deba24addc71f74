//! The words of LLVM IR: one table, found by hash.

/// How many slots the table has: the words fill less than a third of them.
const SLOTS: usize = 2048;

/// No word stands in a slot with this.
const EMPTY: u16 = u16::MAX;

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident = $($text:literal)|+;)*) => {
        /// A word of the language. Words between which nothing here depends are one.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(in crate::llvm) enum Word { $($(#[$doc])* $name,)* }

        /// Every spelling and its word.
        const SPELLINGS: &[(&str, Word)] = &[$($(($text, Word::$name),)+)*];
    };
}

words! {
    // What the module level is made of.
    SourceFilename = "source_filename";
    Target = "target";
    Triple = "triple";
    Datalayout = "datalayout";
    Module = "module";
    Asm = "asm";
    Type = "type";
    Opaque = "opaque";
    Comdat = "comdat";
    Attributes = "attributes";
    Define = "define";
    Declare = "declare";
    Global = "global";
    Constant = "constant";
    Alias = "alias";
    Ifunc = "ifunc";
    UseListOrder = "uselistorder" | "uselistorder_bb";
    Distinct = "distinct";

    // What is said of globals.
    LocalLinkage = "private" | "internal";
    MergedLinkage = "weak_odr" | "linkonce" | "linkonce_odr";
    Weak = "weak";
    Appending = "appending";
    Common = "common";
    ExternWeak = "extern_weak";
    External = "external";
    AvailableExternally = "available_externally";
    /// Where other modules of a linked program find the symbol.
    Visibility = "dso_local" | "dso_preemptable" | "default" | "hidden" | "protected"
        | "dllimport" | "dllexport";
    ThreadLocal = "thread_local";
    UnnamedAddr = "unnamed_addr" | "local_unnamed_addr";
    Addrspace = "addrspace";
    ExternallyInitialized = "externally_initialized";
    Section = "section";
    Partition = "partition";
    CodeModel = "code_model";
    Sanitizer = "no_sanitize_address" | "no_sanitize_hwaddress" | "sanitize_address_dyninit";
    SanitizeMemtag = "sanitize_memtag";
    Gc = "gc";
    Prefix = "prefix";
    Prologue = "prologue";
    Personality = "personality";

    // Calling conventions.
    PlatformConvention = "ccc" | "x86_64_sysvcc";
    InternalConvention = "fastcc" | "coldcc" | "tailcc" | "ghccc" | "swiftcc" | "swifttailcc"
        | "anyregcc" | "preserve_mostcc" | "preserve_allcc" | "preserve_nonecc"
        | "cxx_fast_tlscc";
    OtherConvention = "cfguard_checkcc" | "x86_stdcallcc" | "x86_fastcallcc" | "x86_thiscallcc"
        | "x86_vectorcallcc" | "x86_regcallcc" | "x86_intrcc" | "arm_apcscc" | "arm_aapcscc"
        | "arm_aapcs_vfpcc" | "aarch64_vector_pcs" | "aarch64_sve_vector_pcs"
        | "aarch64_sme_preservemost_from_x0" | "aarch64_sme_preservemost_from_x1"
        | "aarch64_sme_preservemost_from_x2" | "msp430_intrcc" | "avr_intrcc" | "avr_signalcc"
        | "ptx_kernel" | "ptx_device" | "spir_kernel" | "spir_func" | "intel_ocl_bicc"
        | "win64cc" | "hhvmcc" | "hhvm_ccc" | "amdgpu_vs" | "amdgpu_ls" | "amdgpu_hs"
        | "amdgpu_es" | "amdgpu_gs" | "amdgpu_ps" | "amdgpu_cs" | "amdgpu_cs_chain"
        | "amdgpu_cs_chain_preserve" | "amdgpu_kernel" | "amdgpu_gfx" | "amdgpu_gfx_whole_wave"
        | "m68k_rtdcc" | "graalcc" | "riscv_vector_cc" | "cheriot_compartmentcallcc"
        | "cheriot_compartmentcalleecc" | "cheriot_librarycallcc" | "webkit_jscc";
    Cc = "cc";

    // Types.
    Void = "void";
    Half = "half";
    Bfloat = "bfloat";
    Float = "float";
    Double = "double";
    X86Fp80 = "x86_fp80";
    Fp128 = "fp128";
    Label = "label";
    Metadata = "metadata";
    Token = "token";
    Ptr = "ptr";
    UnsupportedType = "ppc_fp128" | "x86_amx" | "x86_mmx";
    X = "x";
    Vscale = "vscale";

    // Constants.
    True = "true";
    False = "false";
    Null = "null";
    None = "none";
    Undef = "undef";
    Poison = "poison";
    ZeroInitializer = "zeroinitializer";
    Splat = "splat";
    BlockAddress = "blockaddress";
    GlobalAlike = "dso_local_equivalent" | "no_cfi";
    Ptrauth = "ptrauth";
    SideEffect = "sideeffect";
    IntelDialect = "inteldialect";

    // Words between an op and its operands.
    Nuw = "nuw";
    Nsw = "nsw";
    Nusw = "nusw";
    Exact = "exact";
    Inbounds = "inbounds";
    Inrange = "inrange";
    Disjoint = "disjoint";
    Nneg = "nneg";
    Samesign = "samesign";
    Nnan = "nnan";
    Ninf = "ninf";
    Nsz = "nsz";
    Arcp = "arcp";
    Contract = "contract";
    Afn = "afn";
    Reassoc = "reassoc";
    Fast = "fast";
    Volatile = "volatile";
    Atomic = "atomic";
    Syncscope = "syncscope";
    Unordered = "unordered";
    Monotonic = "monotonic";
    Acquire = "acquire";
    Release = "release";
    AcqRel = "acq_rel";
    SeqCst = "seq_cst";
    Tail = "tail" | "notail";
    Musttail = "musttail";
    To = "to";
    Unwind = "unwind";
    Cleanup = "cleanup";
    Catch = "catch";
    Filter = "filter";

    // Ops.
    Fneg = "fneg";
    Add = "add";
    Sub = "sub";
    Mul = "mul";
    Udiv = "udiv";
    Sdiv = "sdiv";
    Urem = "urem";
    Srem = "srem";
    Shl = "shl";
    Lshr = "lshr";
    Ashr = "ashr";
    And = "and";
    Or = "or";
    Xor = "xor";
    Fadd = "fadd";
    Fsub = "fsub";
    Fmul = "fmul";
    Fdiv = "fdiv";
    Frem = "frem";
    Icmp = "icmp";
    Fcmp = "fcmp";
    Trunc = "trunc";
    Zext = "zext";
    Sext = "sext";
    Fptrunc = "fptrunc";
    Fpext = "fpext";
    Fptoui = "fptoui";
    Fptosi = "fptosi";
    Uitofp = "uitofp";
    Sitofp = "sitofp";
    Ptrtoint = "ptrtoint";
    Ptrtoaddr = "ptrtoaddr";
    Inttoptr = "inttoptr";
    Bitcast = "bitcast";
    Addrspacecast = "addrspacecast";
    Select = "select";
    Phi = "phi";
    Freeze = "freeze";
    Extractelement = "extractelement";
    Insertelement = "insertelement";
    Shufflevector = "shufflevector";
    Extractvalue = "extractvalue";
    Insertvalue = "insertvalue";
    Alloca = "alloca";
    Load = "load";
    Store = "store";
    Fence = "fence";
    Cmpxchg = "cmpxchg";
    Atomicrmw = "atomicrmw";
    Getelementptr = "getelementptr";
    Call = "call";
    Invoke = "invoke";
    Landingpad = "landingpad";
    VaArg = "va_arg";
    Ret = "ret";
    Br = "br";
    Switch = "switch";
    Indirectbr = "indirectbr";
    Resume = "resume";
    Unreachable = "unreachable";
    UnsupportedOp = "callbr" | "catchswitch" | "catchpad" | "cleanuppad" | "catchret"
        | "cleanupret";

    // Conditions.
    Eq = "eq";
    Ne = "ne";
    Slt = "slt";
    Sle = "sle";
    Sgt = "sgt";
    Sge = "sge";
    Ult = "ult";
    Ule = "ule";
    Ugt = "ugt";
    Uge = "uge";
    Oeq = "oeq";
    One = "one";
    Olt = "olt";
    Ole = "ole";
    Ogt = "ogt";
    Oge = "oge";
    Ord = "ord";
    Ueq = "ueq";
    Une = "une";
    Uno = "uno";

    // What an `atomicrmw` does.
    Xchg = "xchg";
    Nand = "nand";
    Max = "max";
    Min = "min";
    Umax = "umax";
    Umin = "umin";
    Fmax = "fmax";
    Fmin = "fmin";
    Fmaximum = "fmaximum";
    Fminimum = "fminimum";
    UincWrap = "uinc_wrap";
    UdecWrap = "udec_wrap";
    UsubCond = "usub_cond";
    UsubSat = "usub_sat";

    // Attributes of parameters and results.
    Signext = "signext";
    Zeroext = "zeroext";
    Noalias = "noalias";
    Nonnull = "nonnull";
    Noundef = "noundef";
    Inreg = "inreg";
    Nest = "nest";
    Returned = "returned";
    Readonly = "readonly";
    Readnone = "readnone";
    Writeonly = "writeonly";
    Immarg = "immarg";
    Swift = "swiftself" | "swiftasync";
    Swifterror = "swifterror";
    Byval = "byval";
    Sret = "sret";
    Inalloca = "inalloca";
    Preallocated = "preallocated";
    Byref = "byref";
    Elementtype = "elementtype";
    Align = "align";
    Alignstack = "alignstack";
    Dereferenceable = "dereferenceable";
    /// What is dropped with the brackets behind it, if there are any.
    IdleParamAttribute = "dereferenceable_or_null" | "range" | "initializes" | "captures"
        | "nofpclass" | "nocapture" | "writable" | "dead_on_unwind" | "dead_on_return"
        | "allocalign" | "allocptr" | "noext";
    /// Dropped likewise from functions, parameters and results.
    IdleAttribute = "nofree";

    // Attributes of functions and calls.
    Noreturn = "noreturn";
    Nounwind = "nounwind";
    Willreturn = "willreturn";
    ReturnsTwice = "returns_twice";
    Alwaysinline = "alwaysinline";
    Noinline = "noinline";
    Inlinehint = "inlinehint";
    Cold = "cold";
    Hot = "hot";
    Optnone = "optnone";
    Optsize = "optsize";
    Minsize = "minsize";
    Naked = "naked";
    Nobuiltin = "nobuiltin";
    Strictfp = "strictfp";
    Memory = "memory";
    /// Dropped likewise from functions.
    IdleFunctionAttribute = "allockind" | "allocsize" | "argmemonly" | "builtin" | "convergent"
        | "coro_elide_safe" | "coro_only_destroy_when_complete"
        | "disable_sanitizer_instrumentation" | "flatten_depth" | "fn_ret_thunk_extern"
        | "hybrid_patchable" | "inaccessiblemem_or_argmemonly" | "inaccessiblememonly"
        | "jumptable" | "mustprogress" | "nocallback" | "nocf_check" | "nocreateundeforpoison"
        | "nodivergencesource" | "noduplicate" | "noimplicitfloat" | "nomerge" | "nonlazybind"
        | "nooutline" | "noprofile" | "norecurse" | "noredzone" | "nosanitize_bounds"
        | "nosanitize_coverage" | "nosync" | "null_pointer_is_valid" | "optdebug"
        | "optforfuzzing" | "presplitcoroutine" | "safestack" | "sanitize_address"
        | "sanitize_alloc_token" | "sanitize_hwaddress" | "sanitize_memory"
        | "sanitize_numerical_stability" | "sanitize_realtime" | "sanitize_realtime_blocking"
        | "sanitize_thread" | "sanitize_type" | "shadowcallstack" | "skipprofile"
        | "speculatable" | "speculative_load_hardening" | "ssp" | "sspreq" | "sspstrong"
        | "uwtable" | "vscale_range";
}

/// The hash of a word, made byte by byte while it is read.
#[derive(Clone, Copy)]
pub(super) struct WordHash(u32);

impl WordHash {
    pub(super) const EMPTY: WordHash = WordHash(0x811c_9dc5);

    pub(super) const fn with(self, byte: u8) -> WordHash {
        WordHash((self.0 ^ byte as u32).wrapping_mul(0x0100_0193))
    }

    const fn slot(self) -> usize {
        (self.0 ^ self.0 >> 15) as usize % SLOTS
    }
}

static TABLE: [u16; SLOTS] = table();

/// Puts each word into the first free slot from that of its hash on.
const fn table() -> [u16; SLOTS] {
    let mut table = [EMPTY; SLOTS];
    let mut index = 0;
    while index < SPELLINGS.len() {
        let spelling = SPELLINGS[index].0.as_bytes();
        let mut hash = WordHash::EMPTY;
        let mut at = 0;
        while at < spelling.len() {
            hash = hash.with(spelling[at]);
            at += 1;
        }
        let mut slot = hash.slot();
        while table[slot] != EMPTY {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = index as u16;
        index += 1;
    }
    table
}

/// The word that `text`, whose hash is `hash`, spells.
pub(super) fn find(text: &[u8], hash: WordHash) -> Option<Word> {
    let mut slot = hash.slot();
    loop {
        let (spelling, word) = SPELLINGS.get(usize::from(TABLE[slot]))?;
        if spelling.as_bytes() == text {
            return Some(*word);
        }
        slot = (slot + 1) % SLOTS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_text(text: &str) -> Option<Word> {
        find(text.as_bytes(), text.bytes().fold(WordHash::EMPTY, WordHash::with))
    }

    #[test]
    fn each_spelling_is_found_and_stands_there_once() {
        for (index, &(spelling, word)) in SPELLINGS.iter().enumerate() {
            assert_eq!(find_text(spelling), Some(word), "{spelling}");
            assert!(SPELLINGS[..index].iter().all(|earlier| earlier.0 != spelling), "{spelling}");
        }
        assert_eq!(find_text("adds"), None);
        assert_eq!(find_text(""), None);
    }

    #[test]
    fn words_are_found_in_a_few_steps() {
        let run = |start: usize| {
            (start..).map(|slot| TABLE[slot % SLOTS]).take_while(|&found| found != EMPTY).count()
        };
        let longest = (0..SLOTS).map(run).max();
        assert!(longest < Some(16), "{longest:?}");
    }
}
