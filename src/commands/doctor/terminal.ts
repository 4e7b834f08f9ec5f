import type {Environment} from '../../config/folders.ts';
import type {Settings} from '../../config/settings.ts';
import {capabilities, isInTmux, refusal} from '../../term/capabilities.ts';
import {clipboardPrograms} from '../../term/clipboard.ts';
import {createKeyMap} from '../../ui/bindings.ts';
import type {CommandContext} from '../cli/context.ts';
import {type Check, ok, warning} from './check.ts';
import {strings} from './strings.ts';

const {terminal: text} = strings;

/** Reports what the environment says of the terminal. */
export async function checkTerminal({
	input: {env},
	system: {stdin, stdout},
}: CommandContext): Promise<Check[]> {
	const streams = {stdin, stdout, env: {...env}};
	const {colors, hasUnicode} = capabilities(streams);
	const found = text.found(env.TERM ?? text.noTerm, colors, hasUnicode ? text.unicode : text.ascii);
	const reason = refusal(streams);
	if (reason) return [warning('terminal', found, text.refused(reason))];
	return [ok('terminal', found), await checkClipboard(env)];
}

async function checkClipboard(env: Environment): Promise<Check> {
	const {findProgram} = await import('../../local/agents/installed.ts');
	const program = clipboardPrograms({...env}).find(name => findProgram(name, env) !== undefined);
	return ok('clipboard', program ? text.clipboardProgram(program) : text.clipboard(isInTmux({...env})));
}

/** Reports the number of user-defined keys and each problem with them. */
export function checkKeys({keys: choices, configFile}: Settings): Check[] {
	const {problems} = createKeyMap(choices);
	const count = choices.byAction.size;
	if (problems.length === 0)
		return [ok('keys', count === 0 ? strings.keys.defaults : strings.keys.customized(count))];
	return problems.map(found => warning('keys', found, strings.keys.advice(configFile)));
}
