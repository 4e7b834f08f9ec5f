import type {Environment} from '../../config/folders.ts';
import type {Settings} from '../../config/settings.ts';
import {type Check, none, ok, problem, warning} from './check.ts';
import {strings} from './strings.ts';

const {agents: text, programs} = strings;

/** The agents' clients on this machine: version and login, as far as they show without sending anything. */
export async function checkAgents({agent, mode}: Settings, env: Environment): Promise<Check[]> {
	const {findAgents, hasLogin, readVersion} = await import('../../local/agents/installed.ts');
	const isUsed = (name: string) => mode === 'local' && name === agent;
	const clients = findAgents(env).filter(({name}) => name !== 'shell');
	return Promise.all(
		clients.map(async ({name, path}): Promise<Check> => {
			const title = text.title(name);
			if (path === undefined)
				return isUsed(name)
					? problem(title, text.missing, text.missingAdvice(name))
					: none(title, text.missing);
			const version = await readVersion(path);
			if (version === undefined)
				return warning(title, programs.noVersion(path), programs.noVersionAdvice(path, '--version'));
			const found = text.found(version, path);
			if (hasLogin(name, env) === false) return warning(title, text.noLogin(found), text.noLoginAdvice(name));
			return ok(title, found);
		}),
	);
}
