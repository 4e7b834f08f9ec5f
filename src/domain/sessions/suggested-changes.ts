import {isObject, type JsonObject} from '../../../hooks/json.ts';
import {noOption, onceOption, type RequestOption} from './agent-request.ts';

/**
 * The answers to a permission request of Claude Code, which suggests changes of its settings. `always` has only rules
 * for this command or tool; any other change is an option of its own.
 */
export function suggestedOptions(
	tool: string,
	input: JsonObject,
	suggestions: readonly JsonObject[],
): readonly RequestOption[] {
	const indexed = suggestions.map((suggestion, index) => ({suggestion, index}));
	const parts = commandParts(input.command);
	const own = indexed.filter(({suggestion}) => isOwnRule(suggestion, tool, input, parts));
	const words = new Map<string, number>();
	return [
		onceOption,
		...(own.length > 0
			? [
					{
						word: 'always',
						label: 'always allow',
						allows: true,
						changes: own.flatMap(({suggestion}) => changesOf(suggestion)),
						applies: own.map(({index}) => index),
					},
				]
			: []),
		...indexed.flatMap(one => {
			if (own.includes(one)) return [];
			const {suggestion, index} = one;
			const {word, label} = kindOf(suggestion);
			const count = (words.get(word) ?? 0) + 1;
			words.set(word, count);
			return {
				word: count === 1 ? word : `${word}-${count}`,
				label,
				allows: true,
				changes: changesOf(suggestion),
				applies: [index],
			};
		}),
		noOption,
	];
}

/** Whether it only adds rules that allow this command, or this tool if its input names nothing to restrict it by. */
function isOwnRule(
	suggestion: JsonObject,
	tool: string,
	input: JsonObject,
	parts: readonly string[],
): boolean {
	const {type, behavior, rules, destination: _, ...more} = suggestion;
	if (type !== 'addRules' || behavior !== 'allow' || Object.keys(more).length > 0) return false;
	return Array.isArray(rules) && rules.length > 0 && rules.every(rule => covers(rule, tool, input, parts));
}

function covers(rule: unknown, tool: string, input: JsonObject, parts: readonly string[]): boolean {
	if (!isObject(rule)) return false;
	const {toolName, ruleContent, ...more} = rule;
	if (toolName !== tool || Object.keys(more).length > 0) return false;
	const {command, url} = input;
	const path = input.file_path ?? input.notebook_path ?? input.path;
	if (typeof ruleContent !== 'string')
		return ruleContent === undefined && [command, url, path].every(field => field === undefined);
	if (typeof command === 'string') return coversCommand(ruleContent, parts);
	// Without a content, a rule is for every use; as a pattern, for more than this one.
	if (ruleContent === '' || /[*?[]/.test(ruleContent)) return false;
	if (typeof url === 'string') return ruleContent === `domain:${URL.parse(url)?.hostname}`;
	return typeof path === 'string' && (ruleContent === path || ruleContent === `/${path}`);
}

/** A command line, and each of its parts, which has a rule of its own. */
function commandParts(command: unknown): readonly string[] {
	if (typeof command !== 'string') return [];
	// What is quoted is no part of its own.
	const hasQuotes = /['"`\\#]|<</.test(command);
	const parts = [command, ...(hasQuotes ? [] : command.split(/&&|\|\||[;|&\n]/))];
	return [...new Set(parts.map(part => part.trim()))];
}

/** A rule names a whole command, or its first words and `:*`. */
function coversCommand(rule: string, parts: readonly string[]): boolean {
	const start = /^(.+?)(?::| )\*$/s.exec(rule)?.[1];
	if (rule === '' || (start ?? rule).includes('*')) return false;
	return parts.some(
		part => part === rule || (start !== undefined && (part === start || part.startsWith(`${start} `))),
	);
}

function kindOf({type, mode, behavior, rules}: JsonObject): {readonly word: string; readonly label: string} {
	if (type === 'setMode') return {word: 'mode', label: `allow, and switch to mode ${textOf(mode)}`};
	if (type === 'addDirectories')
		return {word: 'folders', label: 'allow, and give access to the folders below'};
	if (type === 'addRules' && behavior === 'allow' && Array.isArray(rules))
		return {word: 'rules', label: 'allow, and allow more than this from now on'};
	return {word: 'settings', label: "allow, and change the client's settings"};
}

const modes: Readonly<Record<string, string>> = {
	default: 'asks before each change',
	acceptEdits: 'edits files without asking',
	plan: 'only plans',
	dontAsk: 'asks nothing',
	bypassPermissions: 'does everything without asking',
};

const places: Readonly<Record<string, string>> = {
	userSettings: 'in your settings, for every project',
	projectSettings: "in the project's .claude/settings.json, for everyone who works on it",
	localSettings: "in the project's .claude/settings.local.json",
	session: 'until the session ends',
};

const fields: Readonly<Record<string, readonly string[]>> = {
	addRules: ['type', 'rules', 'behavior', 'destination'],
	setMode: ['type', 'mode', 'destination'],
	addDirectories: ['type', 'directories', 'destination'],
};

/** What a suggestion changes, a line each; one of unknown form as it is. */
function changesOf(suggestion: JsonObject): readonly string[] {
	const {type, rules, behavior, mode, directories, destination} = suggestion;
	const place =
		destination === undefined ? '' : `, ${places[textOf(destination)] ?? `in ${textOf(destination)}`}`;
	const known = fields[textOf(type)] ?? [];
	if (!Object.keys(suggestion).every(name => known.includes(name))) return [JSON.stringify(suggestion)];
	if (type === 'addRules' && Array.isArray(rules) && rules.length > 0 && typeof behavior === 'string')
		return rules.map(rule => `${behavior} ${ruleText(rule)}${place}`);
	if (type === 'setMode' && typeof mode === 'string')
		return [`mode ${mode}${modes[mode] ? ` (${modes[mode]})` : ''}${place}`];
	if (type === 'addDirectories' && Array.isArray(directories) && directories.length > 0)
		return directories.map(folder => `access to ${textOf(folder)}${place}`);
	return [JSON.stringify(suggestion)];
}

function ruleText(rule: unknown): string {
	if (!isObject(rule)) return JSON.stringify(rule);
	const {toolName, ruleContent, ...more} = rule;
	if (typeof toolName !== 'string' || Object.keys(more).length > 0) return JSON.stringify(rule);
	return ruleContent === undefined || ruleContent === ''
		? `every use of ${toolName}`
		: `${toolName}(${textOf(ruleContent)})`;
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
