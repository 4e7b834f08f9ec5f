import type {Environment} from '../../config/folders.ts';
import type {Settings} from '../../config/settings.ts';
import {type Check, none, ok, problem, warning} from './check.ts';
import {strings} from './strings.ts';

const {agents: agentText, programs: text} = strings;

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

/** The agents' clients on this machine: version and login, as far as they show without sending anything. */
export async function checkAgents({agent, mode}: Settings, env: Environment): Promise<Check[]> {
	const {findAgents, hasLogin, readVersion} = await import('../../local/agents/installed.ts');
	const isUsed = (name: string) => mode === 'local' && name === agent;
	const clients = findAgents(env).filter(({name}) => name !== 'shell');
	return Promise.all(
		clients.map(async ({name, path}): Promise<Check> => {
			const title = agentText.title(name);
			if (path === undefined)
				return isUsed(name)
					? problem(title, agentText.missing, agentText.missingAdvice(name))
					: none(title, agentText.missing);
			const version = await readVersion(path);
			if (version === undefined)
				return warning(title, text.noVersion(path), text.noVersionAdvice(path, '--version'));
			const found = agentText.found(version, path);
			if (hasLogin(name, env) === false)
				return warning(title, agentText.noLogin(found), agentText.noLoginAdvice(name));
			return ok(title, found);
		}),
	);
}
