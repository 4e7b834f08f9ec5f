import type {TimedProgram} from './pty.ts';

export const pause = (ms: number) => new Promise(done => setTimeout(done, ms));

/** Time from a key to the frame that shows its effect, ms. */
export async function keyTime(program: TimedProgram, key: string, shows: string): Promise<number> {
	await pause(20 + Math.random() * 40);
	const at = program.send(key);
	return (await program.shown(shows)) - at;
}

/** Time from a key to the first bytes that answer it, ms: for keys whose effect is not known beforehand. */
export async function answerTime(program: TimedProgram, key: string): Promise<number> {
	await pause(60 + Math.random() * 40);
	const answered = program.wrote();
	const at = program.send(key);
	return (await answered) - at;
}

/** Types letters into the composer; each must make a string visible that was not there before. */
export function letters(program: TimedProgram): {time(): Promise<number>; readonly bytes: readonly number[]} {
	let typed = '';
	const bytes: number[] = [];
	const letter = () => 'qzxjkvwp'.charAt(Math.floor(Math.random() * 8));
	const begin = async () => {
		// Space puts the cursor into the composer; then it is emptied and given a start that nothing else shows.
		if (typed === '') program.send(' ');
		await pause(200);
		program.send('\u007F'.repeat(typed.length));
		await pause(200);
		typed = letter() + letter() + letter();
		program.send(typed);
		await program.shown(typed);
	};
	return {
		bytes,
		async time() {
			if (typed.length === 0 || typed.length >= 24) await begin();
			await pause(20 + Math.random() * 40);
			const key = letter();
			typed += key;
			const at = program.send(key);
			const shownAt = await program.shown(typed);
			bytes.push(program.bytesBetween(at, shownAt));
			return shownAt - at;
		},
	};
}
