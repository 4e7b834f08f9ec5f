import {type Command, endNote, type ProcessGroups} from './process-group.ts';

/** Maximum output to read, bytes. */
const maxOutputLength = 8 * 1024 * 1024;
const maxErrorLength = 64 * 1024;

/** A program's output. `code` is absent if it was ended or couldn't start; `note` says how it failed. */
export type ProgramResult = {
	readonly code?: number | undefined;
	readonly note: string | undefined;
	readonly stdout: string;
	readonly stderr: string;
	/** The output was too long; `stdout` holds its beginning. */
	readonly isCut: boolean;
};

type Limits = {
	readonly signal: AbortSignal;
	/** Bytes of output after which the program is ended. */
	readonly maxLength?: number | undefined;
};

/** Runs a program to its end and collects its output. Never rejects. */
export async function runProgram(
	groups: ProcessGroups,
	command: Command,
	{signal, maxLength = maxOutputLength}: Limits,
): Promise<ProgramResult> {
	const output = {stdout: [] as Buffer[], stderr: [] as Buffer[]};
	const size = {stdout: 0, stderr: 0};
	const tooLong = new AbortController();
	const ended = await groups.run(
		command,
		(chunk, source) => {
			const max = source === 'stdout' ? maxLength : maxErrorLength;
			if (size[source] < max) output[source].push(chunk.subarray(0, max - size[source]));
			size[source] += chunk.length;
			if (size.stdout > maxLength) tooLong.abort();
		},
		{signal: AbortSignal.any([tooLong.signal, signal])},
	);
	return {
		code: ended.code,
		note: endNote(command.file, ended),
		stdout: Buffer.concat(output.stdout).toString('utf8'),
		stderr: Buffer.concat(output.stderr).toString('utf8'),
		isCut: size.stdout > maxLength,
	};
}
