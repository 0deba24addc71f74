//! The rules, one row each.

macro_rules! rules {
    ($($name:ident = $code:literal, $explanation:literal;)*) => {
        /// What a module must keep to.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Rule { $(#[doc = $explanation] $name,)* }

        impl Rule {
            /// Every rule, in table order.
            pub const ALL: &'static [Rule] = &[$(Rule::$name,)*];

            /// The code by which messages and tests name the rule. It does not change.
            pub const fn code(self) -> &'static str {
                match self { $(Rule::$name => $code,)* }
            }

            /// What the rule asks for, as a sentence.
            pub const fn explanation(self) -> &'static str {
                match self { $(Rule::$name => $explanation,)* }
            }
        }
    };
}

rules! {
    // Declarations.
    SymbolName = "symbol-name", "A symbol has a name that is not empty and holds no NUL, and the module knows the symbol by it.";
    FunctionBody = "function-body", "A function that is exported, weak or local has a body of at least one block; one that is imported or foreign has none.";
    Convention = "convention", "Foreign functions and those of variable arguments are called by the platform's convention, all others by the internal one.";
    Signature = "signature", "Only the platform's convention has further arguments. `sext` and `zext` are for integers of less than 64 bits, `byval` and `sret` for parameters of type `ptr`, of which one alone returns, and `of` for vectors of 128 bits; of the managed kinds only `ref` is a result. What is passed `byval` fills at most 16 MiB.";
    AggregateSize = "aggregate-size", "A value, and the parameters or results of a signature together, consist of at most 65536 scalars, vectors and function references.";
    Attribute = "attribute", "An optimisation level is 0 to 3, target strings are not empty, and only foreign functions return twice.";
    DataLayout = "data-layout", "A data object is as large as its items together and at most 2 GiB, is aligned to at most 4096 bytes, and has items only where it is defined; one that may not be there has no size.";
    DataItem = "data-item", "The numbers of a data object fit their type, and its addresses are of symbols that have one address.";
    AliasClass = "alias-class", "An alias class is made after its parent.";
    // Entities of a function.
    SlotLimit = "slot-limit", "A slot is aligned to at most 4096 bytes, and the slots of a function fill at most 16 MiB.";
    ExitKind = "exit-kind", "An exit takes values along that can leave a function; the function of a deoptimisation is internal, takes them and gives the results of this one.";
    Location = "location", "A location names a file and a line from 1, or line 0 of the text if it is unknown, and the call that it was inlined at stands before it.";
    // Handles and shape.
    UnknownHandle = "unknown-handle", "Every handle names an entity of its function or module.";
    UndefinedValue = "undefined-value", "A value that is used is a constant, or a parameter or result that stands in the function.";
    UnplacedBlock = "unplaced-block", "A block that is gone to stands in the function.";
    SharedList = "shared-list", "No two instructions share a list of operands or arguments, or a switch.";
    Payload = "payload", "An instruction holds what its form asks for.";
    OperandCount = "operand-count", "An instruction has as many operands as its row, signature or aggregate asks for.";
    // Types.
    SuffixType = "suffix-type", "The suffix is a type of the class that the op's row names.";
    TypeMismatch = "type-mismatch", "An operand has the type that the op's row asks for.";
    TypeRelation = "type-relation", "The suffix and the free operands stand in the relation that the op's row names.";
    ResultType = "result-type", "The results have the number and the types that follow from suffix and operands.";
    Immediates = "immediates", "The indices of a path lead into the aggregate, and the lanes of a shuffle are those of its operands.";
    RmwKind = "rmw-kind", "A read-modify-write computes with integers of at most 64 bits or floats as its kind does; addresses can only be exchanged.";
    // Calls.
    CallKind = "call-kind", "Foreign functions are called by `call_foreign` or `try_call`, those that return twice by `call_foreign` alone, all others by any other call by name; references are called by the internal convention.";
    Arguments = "arguments", "The arguments of a call are those of the signature.";
    VariadicArgument = "variadic-argument", "An argument behind the named ones has a type that C passes there: `i32`, `i64`, `i128`, `f64` or an address.";
    Roots = "roots", "The roots of a foreign call are references.";
    TailCall = "tail-call", "A tail call calls a function that gives the results of this one, and passes it no `derived` or `loaded`, which the frame would have to keep alive.";
    ReturnValues = "return-values", "A return gives the results of the function.";
    ExitValues = "exit-values", "A check gives its exit the values that it takes along.";
    ModifyFunction = "modify-function", "The function of `atomic_modify` is internal, takes the old value and the operand, and gives the new value.";
    FunctionType = "function-type", "The suffix of `function_addr` is the signature of the function.";
    // Attributes of instructions.
    Flag = "flag", "An instruction carries only flags that have a meaning for it.";
    Access = "access", "An access promises an alignment of at most 2^31 bytes, and has an offset only where it has an address.";
    MemoryOrder = "memory-order", "A load does not release, a store does not acquire, a fence orders something, a failing exchange does not release and is ordered at most as a succeeding one, and what reads and writes is at least relaxed.";
    SwitchCase = "switch-case", "The cases of a switch are different numbers that fit its type, and each has a target.";
    Weights = "weights", "Weights stand on a branch or switch, one for each target, and not all are zero.";
    Range = "range", "A range stands on an instruction whose first result is an integer, fits its type and is not empty.";
    LoopMark = "loop-mark", "A loop mark stands in the header of a loop, once, and asks for at most 1024 copies.";
    Feature = "feature", "The name of a processor feature is not empty.";
    ConstantStore = "constant-store", "Nothing is stored to a constant data object.";
    // Blocks and flow.
    MissingTerminator = "missing-terminator", "The last instruction of a block is a terminator.";
    EarlyTerminator = "early-terminator", "No terminator stands before the end of its block.";
    EntryParameters = "entry-parameters", "The parameters of the first block are those of the signature.";
    EntryPredecessor = "entry-predecessor", "Nothing leads to the first block.";
    ParameterType = "parameter-type", "A block parameter has a type, which is no token.";
    BlockArguments = "block-arguments", "An edge gives its block one argument of the right type for each parameter.";
    Dominance = "dominance", "The definition of a value stands on every path to each of its uses.";
    TryResult = "try-result", "The results of a call with an unwind edge are used only as arguments of its normal edge.";
    RegionNesting = "region-nesting", "All paths to a block have entered the same regions, and `leave` leaves at least one and no more than there are.";
    ReturnInRegion = "return-in-region", "A function leaves its regions before it returns.";
    // Managed code.
    CalleeUse = "callee-use", "A value of type `callee` is only passed to a call.";
    ManagedAccess = "managed-access", "Of the managed kinds, only `ref` is stored, and only `ref` and `loaded` are loaded.";
    // Borders.
    Dialect = "dialect", "Every op and type is legal at the border that is verified.";
    Target = "target", "The target can do what the function asks for.";
    // Safe modules.
    RawOp = "raw-op", "A module that safe code loads has no op that trusts an address or a promise.";
    RawSymbol = "raw-symbol", "A module that safe code loads names nothing foreign.";
    RawPromise = "raw-promise", "A module that safe code loads makes no promise.";
}

impl Rule {
    /// The rule with that code.
    pub fn from_code(code: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.code() == code)
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}
