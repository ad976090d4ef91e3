/** The most agents of a team that a forecast is made for. */
export const maxForecastAgents = 500;
