import {themeNames} from '../../domain/display.ts';
import {views} from '../../state/view/view-states.ts';
import type {Flag} from './command.ts';

export const globalFlags: readonly Flag[] = [
	{name: 'local', about: 'use the embedded service on this machine'},
	{name: 'profile', value: 'NAME', about: 'profile from the configuration file'},
	{name: 'json', about: 'print JSON; lists print one object per line, and many have --csv'},
	{name: 'debug', about: 'log requests and sends to debug.log in the state folder'},
	{name: 'help', short: 'h', about: 'show help'},
	{name: 'version', about: 'show the version'},
];

export const screenFlags: readonly Flag[] = [
	{name: 'demo', about: 'open the screen on sample data, which is deleted when it ends'},
	{name: 'session', value: 'ID', about: 'open the screen at this session'},
	{name: 'computer', value: 'ID', about: 'open the screen at this computer'},
	{
		name: 'view',
		value: 'NAME',
		choices: views.map(view => view.name),
		about: 'open the screen at this view',
	},
	{
		name: 'theme',
		value: 'NAME',
		choices: themeNames,
		about: 'auto, dark, light or another of quarterdeck help configuration',
	},
	{name: 'screen-reader', about: 'screen-reader layout: one column of text in reading order'},
	{name: 'reduced-motion', about: 'disable animations'},
	{name: 'ascii', about: 'draw with ASCII only'},
];

export const yes: Flag = {name: 'yes', about: "don't ask"};
export const csv: Flag = {name: 'csv', about: 'print CSV'};
export const follow: Flag = {name: 'follow', about: 'keep printing as more arrive'};
export const limit = (what: string): Flag => ({
	name: 'limit',
	value: 'N',
	range: {min: 1, max: 100_000_000},
	about: `at most N ${what}`,
});
export const newest = (count: number): Flag => ({
	name: 'limit',
	value: 'N',
	range: {min: 1, max: 1_000_000},
	about: `the newest N (default ${count})`,
});
export const computerId = (about: string): Flag => ({
	name: 'computer-id',
	value: 'ID',
	about: `${about}, by id or name`,
});

export const mode: Flag = {
	name: 'mode',
	value: 'MODE',
	choices: ['ask', 'accept-edits', 'plan'],
	about: 'what its agent may do unasked: ask (nothing), accept-edits or plan',
};

export const name: Flag = {name: 'name', value: 'NAME', about: 'name of the computer, 1-63 characters'};
export const remoteUser: Flag = {
	name: 'remote-user',
	value: 'USER',
	about: 'user on it that runs the sessions, 1-63 characters',
};
export const hostId: Flag = {name: 'host-id', value: 'UUID', about: 'id of a registered machine'};

const replacedList = (flag: string, value: string, about: string, what: string): Flag => ({
	name: flag,
	value,
	isRepeated: true,
	about: `${about}; replaces the list`,
	aboutNegated: `clear the ${what}`,
});
export const sessionSettings: readonly Flag[] = [
	{name: 'model', value: 'MODEL', about: 'model'},
	{name: 'spec-mode-model', value: 'MODEL', about: 'planning model'},
	replacedList('tag', 'NAME', 'a tag', 'tags'),
	replacedList('enabled-tool-id', 'ID', 'a tool to allow', 'allowed tools'),
	replacedList('disabled-tool-id', 'ID', 'a tool to deny', 'denied tools'),
	{name: 'settings', value: 'JSON', about: 'session settings of the API as a JSON object, or @FILE with one'},
];

export const routedComputer = computerId("computer to use instead of the session's own");
export const timeout = (about: string, name = 'timeout'): Flag => ({
	name,
	value: 'SECONDS',
	range: {min: 1, max: 10_000_000},
	about,
});
export const deliveryTimeout: Flag = {
	name: 'timeout',
	value: 'SECONDS',
	range: {min: 0, max: 86_400},
	about: 'stop trying to deliver after this many seconds (default 120)',
};
export const noWait: Flag = {
	name: 'no-wait',
	about: "don't wait: what isn't delivered at once, or within 10 s, stays queued",
};

const hookClient: Flag = {
	name: 'client',
	value: 'NAME',
	isRepeated: true,
	choices: ['claude', 'droid', 'qwen', 'gemini', 'codex'],
	about: 'claude, droid, qwen, gemini or codex',
};
const settingsFile = (which: string): Flag => ({
	name: 'settings',
	value: 'FILE',
	about: `${which} this settings file`,
});
export const changedHooks: readonly Flag[] = [
	hookClient,
	{
		name: 'scope',
		value: 'SCOPE',
		choices: ['user', 'project', 'local'],
		about: 'user (the default), project or local settings',
	},
	settingsFile('only'),
	{name: 'dry-run', about: 'show the difference and change nothing'},
	yes,
];
export const inspectedHooks: readonly Flag[] = [hookClient, settingsFile('also')];

const days: readonly Flag[] = [
	{name: 'from', value: 'DATE', about: 'first UTC day, YYYY-MM-DD (default: 30 days back)'},
	{name: 'to', value: 'DATE', about: 'last UTC day (default: the last one with data)'},
	{name: 'month', value: 'MONTH', about: 'the days of a month, YYYY-MM, up to the last one with data'},
];
export const usageFlags: readonly Flag[] = [...days, limit('rows'), csv];
export const groupedBy = (value: string): readonly Flag[] => [
	...usageFlags,
	{name: 'group-by', value, choices: [value], about: `one row per day and ${value}`},
];
