/** Version of the package, put in by the build. */
declare const __VERSION__: string;
/** Identity of the program's script, put in by the build. */
declare const __PROGRAM__: string;
