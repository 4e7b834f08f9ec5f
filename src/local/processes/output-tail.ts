import type {OutputSource} from './process-group.ts';

/** Maximum tail length, bytes. */
const maxLength = 4096;

/** Keeps the end of a program's output for an error message. */
export function createOutputTail() {
	const tails = {stdout: Buffer.alloc(0), stderr: Buffer.alloc(0)};
	const cut = {stdout: false, stderr: false};
	return {
		add(chunk: Buffer, source: OutputSource): void {
			const whole = Buffer.concat([tails[source], chunk]);
			cut[source] ||= whole.length > maxLength;
			tails[source] = whole.subarray(Math.max(0, whole.length - maxLength));
		},
		/** Whole lines from the end of stderr, or of stdout if stderr is empty. */
		text(): string {
			const source = tails.stderr.toString('utf8').trim() === '' ? 'stdout' : 'stderr';
			const text = tails[source].toString('utf8');
			// The first line of a cut tail is incomplete.
			return (cut[source] ? text.slice(text.indexOf('\n') + 1) : text).trim();
		},
	};
}
