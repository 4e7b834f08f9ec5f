/** Version of the package, put in by the build. */
declare const __VERSION__: string;
