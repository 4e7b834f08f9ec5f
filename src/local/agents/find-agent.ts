import {LocalServiceError} from '../local-error.ts';
import type {Agent} from './agent.ts';
import {claude} from './claude.ts';
import {codex} from './codex.ts';
import {customAgent} from './custom.ts';
import {droid} from './droid.ts';
import {gemini} from './gemini.ts';
import {opencode} from './opencode.ts';
import {shell} from './shell.ts';

const known: readonly Agent[] = [shell, claude, droid, codex, gemini, opencode];

/** Finds an agent by name; `cmd:...` is the user's own command. Throws `LocalServiceError` if unknown. */
export function findAgent(name: string): Agent {
	if (name.startsWith('cmd:') && name.slice(4).trim() !== '') return customAgent(name.slice(4).trim());
	const agent = known.find(each => each.name === name);
	if (agent) return agent;
	const names = known.map(each => each.name).join(', ');
	throw new LocalServiceError(`there is no agent "${name}": choose one of ${names}, or cmd:COMMAND`);
}
