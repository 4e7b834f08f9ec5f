import {readFileSync, writeFileSync} from 'node:fs';
import {SourceMap} from 'node:module';
import {join} from 'node:path';
import {makeFolder} from '../../hooks/runtime-folder.ts';
import {ifPossible} from '../domain/if-possible.ts';
import {cleanLine} from '../text/cells/clean.ts';

export type CrashReportOptions = {
	/** Folder for reports; created if missing. */
	readonly folder: string;
	readonly redact: (text: string) => string;
	readonly version: string;
	/** Unix ms. */
	readonly at: number;
};

/**
 * Writes a crash report to its own file (0600): error, causes, versions; never the environment or the
 * arguments. Returns the text to print: one clean, redacted line, and the file's path.
 */
export function crashReport(error: unknown, {folder, redact, version, at}: CrashReportOptions): string {
	const what = cleanLine(redact(firstLine(error)), 300);
	const body = [
		`quarterdeck ${version}, node ${process.version}, ${process.platform} ${process.arch}`,
		new Date(at).toISOString(),
		'',
		...causes(error),
		'',
	].join('\n');
	const file = join(folder, `crash-${at}-${process.pid}.txt`);
	try {
		makeFolder(folder, 0o700);
		writeFileSync(file, redact(body), {mode: 0o600, flag: 'wx'});
	} catch {
		return `quarterdeck crashed: ${what}\nThe crash report could not be written to ${cleanLine(folder)}.\n`;
	}
	return `quarterdeck crashed: ${what}\nThe crash report is in ${cleanLine(file)}.\n`;
}

function firstLine(error: unknown): string {
	const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
	return text.split('\n', 1)[0] ?? '';
}

/** The stacks of an error and its causes, up to five levels deep. */
function causes(error: unknown): string[] {
	const stacks: string[] = [];
	for (let at = error, depth = 0; at !== undefined && depth < 5; depth++) {
		stacks.push(at instanceof Error ? withSourceLines(at.stack ?? `${at.name}: ${at.message}`) : String(at));
		at = at instanceof Error ? at.cause : undefined;
	}
	return stacks;
}

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
