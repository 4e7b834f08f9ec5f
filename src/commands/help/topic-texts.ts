import type {Topic} from '../cli/topics.ts';
import accounts from './accounts.md';
import agentSkill from './agent-skill.md';
import agents from './agents.md';
import configuration from './configuration.md';
import exitCodes from './exit-codes.md';
import hooks from './hooks.md';
import keys from './keys.md';
import machines from './machines.md';
import screen from './screen.md';
import scripting from './scripting.md';

/** The topics as Markdown. Only `help TOPIC` loads them. */
export const topicTexts: Readonly<Record<Topic, string>> = {
	screen,
	keys,
	agents,
	machines,
	hooks,
	accounts,
	configuration,
	scripting,
	'agent-skill': agentSkill,
	'exit-codes': exitCodes,
};
