import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {makeFolder} from '../../hooks/make-folder.ts';
import {cleanLine} from '../text/clean.ts';
import {withSourceLines} from './source-lines.ts';

export type CrashReportOptions = {
	/** Where reports are kept; made when missing. */
	readonly folder: string;
	/** Takes secrets out of a text. */
	readonly redact: (text: string) => string;
	readonly version: string;
	/** Unix ms. */
	readonly at: number;
	/** What was written past the screen while it was open, raw. */
	readonly said: string;
};

/**
 * Writes what is known of a crash to a file of its own (0600): error, causes, versions; never the environment or the
 * arguments. Answers what to print: one clean, redacted line, and where the file is.
 */
export function crashReport(error: unknown, {folder, redact, version, at, said}: CrashReportOptions): string {
	const what = cleanLine(redact(firstLine(error)), 300);
	const body = [
		`quarterdeck ${version}, node ${process.version}, ${process.platform} ${process.arch}`,
		new Date(at).toISOString(),
		'',
		...causes(error),
		...(said === '' ? [] : ['', 'Other output:', said]),
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

/** The stack of an error and of what caused it, five deep. */
function causes(error: unknown): string[] {
	const stacks: string[] = [];
	for (let at = error, depth = 0; at !== undefined && depth < 5; depth++) {
		stacks.push(at instanceof Error ? withSourceLines(at.stack ?? `${at.name}: ${at.message}`) : String(at));
		at = at instanceof Error ? at.cause : undefined;
	}
	return stacks;
}
