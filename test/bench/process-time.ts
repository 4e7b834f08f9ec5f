import {spawnSync} from 'node:child_process';

/** Wall time of a whole process, ms. Throws when it fails. */
export function processTime(
	args: readonly string[],
	env: NodeJS.ProcessEnv,
	input = '',
	program = 'node',
): number {
	const start = performance.now();
	const {status, stderr} = spawnSync(program, args, {
		env,
		input,
		stdio: ['pipe', 'pipe', 'pipe'],
		encoding: 'utf8',
	});
	const time = performance.now() - start;
	if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${status}: ${stderr}`);
	return time;
}
