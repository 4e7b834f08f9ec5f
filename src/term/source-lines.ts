import {readFileSync} from 'node:fs';
import {SourceMap} from 'node:module';
import {ifPossible} from '../domain/if-possible.ts';

/** A script location in a stack trace. */
const scriptLocation = /(?<=\(|at |async )((?:\/|[A-Za-z]:\\)[^\n]*?\.js):(\d+):(\d+)/g;

/**
 * Maps script locations of the build to source locations such as `src/ui/app.tsx:61:9`. Reads each script's
 * source map on demand. Leaves locations without a map unchanged. Never throws.
 */
export function withSourceLines(stack: string): string {
	const maps = new Map<string, SourceMap | undefined>();
	return stack.replace(scriptLocation, (place, script: string, line: string, column: string) => {
		if (!maps.has(script))
			maps.set(
				script,
				ifPossible(() => new SourceMap(JSON.parse(readFileSync(`${script}.map`, 'utf8')))),
			);
		const origin = maps.get(script)?.findOrigin(Number(line), Number(column));
		if (!origin || !('fileName' in origin)) return place;
		const source = origin.fileName.replace(/^(?:\.\.\/)+/, '');
		return `${source}:${origin.lineNumber}:${origin.columnNumber}`;
	});
}
