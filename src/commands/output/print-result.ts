import type {CommandContext} from '../cli/context.ts';

/** Prints the result of a change that must not be made twice. */
export async function printResult<T>(
	{output, signal}: CommandContext,
	done: string,
	print: () => T | Promise<T>,
): Promise<T> {
	try {
		const result = await print();
		await output.flush(signal);
		return result;
	} catch (error) {
		output.note(done);
		throw error;
	}
}
