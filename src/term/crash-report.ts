import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {makeFolder} from '../../hooks/make-folder.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {withSourceLines} from './source-lines.ts';

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
