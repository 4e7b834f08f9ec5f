import type {ActivityRow, ProductivityRow, TokenRow, ToolRow} from '../organization/analytics.ts';
import type {Part} from './attribution.ts';
import {modelParts, userParts} from './credits.ts';
import {languageParts} from './output.ts';
import {toolParts} from './tools.ts';
import type {NameKind, UnusualMeasure} from './unusual.ts';

/** Where to find the breakdown of a measure by day. */
export type DayNames<Family extends string, Row> = {
	readonly family: Family;
	readonly namesOf: (row: Row) => readonly (readonly [NameKind, readonly Part[] | undefined])[];
};

type AnyDayNames =
	| DayNames<'tokens', TokenRow>
	| DayNames<'activity', ActivityRow>
	| DayNames<'tools', ToolRow>
	| DayNames<'productivity', ProductivityRow>;

/** Only files created or edited have a language breakdown; commits, pull requests and ratios have none. */
const languages: AnyDayNames = {
	family: 'productivity',
	namesOf: row => [['language', languageParts(row)]],
};

export const dayNames: Readonly<Partial<Record<UnusualMeasure, AnyDayNames>>> = {
	billable_tokens: {
		family: 'tokens',
		namesOf: row => [
			['model', modelParts(row)],
			['user', userParts(row)],
		],
	},
	daily_active_users: {
		family: 'activity',
		namesOf: ({daily_active_users_by_client: byClient}) => [
			['client', byClient && Object.entries(byClient).map(([key, value]) => ({key, value}))],
		],
	},
	files_created: languages,
	files_edited: languages,
	tool_calls: {family: 'tools', namesOf: row => [['tool', toolParts(row)]]},
};
