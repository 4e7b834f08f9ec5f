/** Version of the package, put in by the build. */
declare const __VERSION__: string;
/** Identity of the program's script, put in by the build. */
declare const __PROGRAM__: string;

/** Node's types know its name only. */
declare namespace WebAssembly {
	class Memory {
		constructor(size: {readonly initial: number});
		readonly buffer: ArrayBuffer;
	}
}
