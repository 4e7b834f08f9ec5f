import type {Environment} from '../../config/folders.ts';
import {type Check, ok, warning} from './check.ts';
import {strings} from './strings.ts';

const {programs: text} = strings;

/** Programs of the system that parts of Quarterdeck run, each with the argument that prints its version. */
const programs = [
	['git', '--version'],
	['ssh', '-V'],
] as const;

export async function checkPrograms(env: Environment): Promise<Check[]> {
	const {findProgram, readVersion} = await import('../../local/agents/installed.ts');
	return Promise.all(
		programs.map(async ([name, argument]): Promise<Check> => {
			const path = findProgram(name, env);
			if (path === undefined) return warning(name, text.missing(name), text.missingAdvice(name));
			const version = await readVersion(path, argument);
			if (version === undefined)
				return warning(name, text.noVersion(path), text.noVersionAdvice(path, argument));
			return ok(name, `${version}, ${path}`);
		}),
	);
}
